/** What readiness is made of. */
@NullMarked
package io.fairlead.gateway.own;

import org.jspecify.annotations.NullMarked;
