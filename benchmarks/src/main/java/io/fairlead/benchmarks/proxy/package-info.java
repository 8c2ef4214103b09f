/**
 * The gateway beside HAProxy, nginx and a Go reverse proxy: each pinned to CPU 0, the backend and the load to CPU 1.
 *
 * <p>One thread drives; it sleeps while something is measured. Start with {@link
 * io.fairlead.benchmarks.proxy.ProxyReport}.
 */
@NullMarked
package io.fairlead.benchmarks.proxy;

import org.jspecify.annotations.NullMarked;
