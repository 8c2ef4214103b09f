/** The destination and formats of log lines: text for people, JSON for programs, and the levels of packages. */
@NullMarked
package io.fairlead.gateway.logging;

import org.jspecify.annotations.NullMarked;
