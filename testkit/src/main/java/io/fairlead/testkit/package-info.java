/**
 * What tests of several modules need: a guard against lost buffers, and the lines that a class logs.
 */
@NullMarked
package io.fairlead.testkit;

import org.jspecify.annotations.NullMarked;
