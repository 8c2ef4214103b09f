/**
 * Whether the APIServices are available that clusters require before they are Available themselves.
 *
 * <p>Threads: one looks, and tells the fleet; informers tell it of changes. Start with {@link
 * io.fairlead.fleet.required.RequiredServices}.
 */
@NullMarked
package io.fairlead.fleet.required;

import org.jspecify.annotations.NullMarked;
