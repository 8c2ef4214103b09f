/**
 * HTTP for hosted clusters: collects bodies within their limit, writes answers and watch frames.
 *
 * <p>Runs on virtual threads, one per request. Start with {@link io.fairlead.gateway.inprocess.HostedHandler}.
 */
@NullMarked
package io.fairlead.gateway.inprocess;

import org.jspecify.annotations.NullMarked;
