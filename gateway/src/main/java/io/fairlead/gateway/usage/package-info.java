/**
 * Who uses what now: the requests under way of each caller in each cluster, and how many there were.
 *
 * <p>Any thread; nothing here blocks. Start with {@link io.fairlead.gateway.usage.Usage}.
 */
@NullMarked
package io.fairlead.gateway.usage;

import org.jspecify.annotations.NullMarked;
