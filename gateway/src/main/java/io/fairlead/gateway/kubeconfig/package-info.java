/**
 * Kubeconfig files (client-go {@code tools/clientcmd/api/v1}): reading one context of them, and adding entries without
 * touching others.
 *
 * <p>Values and files only; nothing is kept. Start with {@link io.fairlead.gateway.kubeconfig.Kubeconfig}.
 */
@NullMarked
package io.fairlead.gateway.kubeconfig;

import org.jspecify.annotations.NullMarked;
