/**
 * What tests of several modules need: guards against what tests leave behind (buffers, threads, sockets), the lines that a class logs, and the settings of both.
 */
@NullMarked
package io.fairlead.testkit;

import org.jspecify.annotations.NullMarked;
