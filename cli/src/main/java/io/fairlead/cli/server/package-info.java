/**
 * A server as commands see it: which one is meant and as whom, requests to it, and failures as lines for people.
 *
 * <p>Blocks on the main thread. Start with {@link io.fairlead.cli.server.FairleadClient}.
 */
@NullMarked
package io.fairlead.cli.server;

import org.jspecify.annotations.NullMarked;
