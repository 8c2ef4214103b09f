/**
 * What tests of several modules need: a guard against lost buffers, the lines that a class logs, and the settings of both.
 */
@NullMarked
package io.fairlead.testkit;

import org.jspecify.annotations.NullMarked;
