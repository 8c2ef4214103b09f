/**
 * Keys and certificates in files and texts: what PEM holds, whom certificates name, and files that only their owner may read.
 *
 * <p>Any thread; blocks on files. Only this package and {@link io.fairlead.credentials.pki} see Bouncy Castle.
 */
@NullMarked
package io.fairlead.credentials;

import org.jspecify.annotations.NullMarked;
