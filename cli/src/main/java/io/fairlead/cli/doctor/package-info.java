/**
 * {@code doctor}: what is examined of a server and of a cluster, and what to do about what is found.
 *
 * <p>The main thread. Start with {@link io.fairlead.cli.doctor.DoctorCommand}.
 */
@NullMarked
package io.fairlead.cli.doctor;

import org.jspecify.annotations.NullMarked;
