/**
 * The certificates that a gateway issues for itself: a CA, a serving certificate and an administrator's, below
 * {@code pki/} of the data directory.
 *
 * <p>Used while starting and by one renewal task; blocks on files. Start with {@link io.fairlead.credentials.pki.Pki}.
 */
@NullMarked
package io.fairlead.credentials.pki;

import org.jspecify.annotations.NullMarked;
