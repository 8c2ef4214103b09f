/**
 * The certificates that a gateway makes for itself: a CA, a serving certificate and an administrator's, below
 * {@code pki/} of the data directory; and the kubeconfig that carries the latter.
 *
 * <p>Used while starting and by one renewal task; blocks on files. The only package that sees Bouncy Castle. Start with
 * {@link io.fairlead.gateway.pki.Pki}.
 */
@NullMarked
package io.fairlead.gateway.pki;

import org.jspecify.annotations.NullMarked;
