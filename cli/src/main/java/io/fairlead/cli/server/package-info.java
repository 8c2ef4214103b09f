/**
 * The server for commands: its selection and user, requests to it, and failures as lines for people.
 *
 * <p>Blocks on the main thread. Start with {@link io.fairlead.cli.server.FairleadClient}.
 */
@NullMarked
package io.fairlead.cli.server;

import org.jspecify.annotations.NullMarked;
