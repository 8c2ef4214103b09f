/** The destination and formats of log lines: text for people, JSON for programs. */
@NullMarked
package io.fairlead.gateway.logging;

import org.jspecify.annotations.NullMarked;
