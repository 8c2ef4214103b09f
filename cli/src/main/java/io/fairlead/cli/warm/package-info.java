/**
 * The ahead-of-time cache of the launcher: requests from which the JVM learns what a server does, and whether a server
 * that runs was started with it.
 *
 * <p>Blocks on the main thread; what is asked meanwhile is on threads of the JDK's HTTP client. Start with
 * {@link io.fairlead.cli.warm.WarmCommand}.
 */
@NullMarked
package io.fairlead.cli.warm;

import org.jspecify.annotations.NullMarked;
