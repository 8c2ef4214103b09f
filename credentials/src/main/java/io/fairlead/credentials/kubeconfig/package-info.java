/**
 * Kubeconfig files (client-go {@code tools/clientcmd/api/v1}): reading one context of them, and adding entries without
 * touching others.
 *
 * <p>Values and files only; nothing is kept. Start with {@link io.fairlead.credentials.kubeconfig.Kubeconfig}.
 */
@NullMarked
package io.fairlead.credentials.kubeconfig;

import org.jspecify.annotations.NullMarked;
