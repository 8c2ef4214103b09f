package io.fairlead.gateway.own;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ProbesTest {
    private Optional<String> storeFailure = Optional.empty();
    private final Health health = new Health(List.of(new Store()));
    private final Probes probes = new Probes(health);

    @Test
    void readyz_allWell_isOk() {
        assertThat(answer("/readyz")).isEqualTo(new Probes.Answer(200, "ok"));
        assertThat(probes.answer("/readyz", true, Set.of()).text())
                .isEqualTo("[+]store ok\n[+]shutdown ok\nreadyz check passed\n");
    }

    @Test
    void readyz_failedCheck_isNamedWithoutItsReason() {
        storeFailure = Optional.of("disk full");

        assertThat(answer("/readyz"))
                .isEqualTo(new Probes.Answer(
                        500, "[-]store failed: reason withheld\n[+]shutdown ok\nreadyz check failed\n"));
        assertThat(answer("/readyz/store").code()).isEqualTo(500);
        assertThat(answer("/readyz/shutdown").code()).isEqualTo(200);
        assertThat(answer("/readyz/other").code()).isEqualTo(404);
        assertThat(probes.answer("/readyz", false, Set.of("store")).code()).isEqualTo(200);
    }

    @Test
    void shutDown_failsReadinessAndNotLiveness() {
        health.shutDown();

        assertThat(answer("/readyz").code()).isEqualTo(500);
        assertThat(answer("/livez").code()).isEqualTo(200);
        assertThat(answer("/healthz").code()).isEqualTo(200);
    }

    private Probes.Answer answer(String path) {
        return probes.answer(path, false, Set.of());
    }

    private final class Store implements ReadinessCheck {
        @Override
        public String name() {
            return "store";
        }

        @Override
        public Optional<String> failure() {
            return storeFailure;
        }
    }
}
