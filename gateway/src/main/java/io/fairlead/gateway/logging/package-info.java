/** Where log lines go and what they look like: text for people, JSON for programs. */
@NullMarked
package io.fairlead.gateway.logging;

import org.jspecify.annotations.NullMarked;
