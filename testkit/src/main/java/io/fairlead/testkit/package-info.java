/**
 * What tests of several modules need: guards against what tests leave behind (buffers, threads, sockets), what an object and the heap take, the lines that a class logs, the settings of both, and the end of servers that tests ask.
 */
@NullMarked
package io.fairlead.testkit;

import org.jspecify.annotations.NullMarked;
