/**
 * The audit log: which requests are recorded (Kubernetes' audit policy), their lines ({@code audit.k8s.io/v1}), and the file
 * that these are written to.
 *
 * <p>Lines are made on the event loops of their requests and written by one thread; nothing here blocks a loop. Start with
 * {@link io.fairlead.gateway.audit.Audits}.
 */
@NullMarked
package io.fairlead.gateway.audit;

import org.jspecify.annotations.NullMarked;
