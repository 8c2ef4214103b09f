/**
 * {@code doctor}: examines a server and its clusters, with advice for each finding.
 *
 * <p>The main thread. Start with {@link io.fairlead.cli.doctor.DoctorCommand}.
 */
@NullMarked
package io.fairlead.cli.doctor;

import org.jspecify.annotations.NullMarked;
