/**
 * Hosted clusters behind HTTP: bodies collected within their limit, answers and watch frames written.
 *
 * <p>Runs on virtual threads, one for a request. Start with {@link io.fairlead.gateway.inprocess.HostedHandler}.
 */
@NullMarked
package io.fairlead.gateway.inprocess;

import org.jspecify.annotations.NullMarked;
