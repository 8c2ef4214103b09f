/**
 * Front proxies: which client certificates are theirs, and by which headers they name the users of their requests.
 *
 * <p>Never blocks; any thread. Start with {@link io.fairlead.gateway.frontproxy.FrontProxy}.
 */
@NullMarked
package io.fairlead.gateway.frontproxy;

import org.jspecify.annotations.NullMarked;
