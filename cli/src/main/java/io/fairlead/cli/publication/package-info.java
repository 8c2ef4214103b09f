/**
 * {@code publication}: how far what is published into attached clusters is.
 *
 * <p>One thread. Start with {@link io.fairlead.cli.publication.PublicationCommand}.
 */
@NullMarked
package io.fairlead.cli.publication;

import org.jspecify.annotations.NullMarked;
