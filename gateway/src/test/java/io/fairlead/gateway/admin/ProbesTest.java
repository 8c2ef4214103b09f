package io.fairlead.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.fleet.ReadinessCheck;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ProbesTest {
    private Optional<String> storeFailure = Optional.empty();
    private final Health health = new Health(List.of(new Store()));
    private final Probes probes = new Probes(health);

    @Test
    void readyz_allWell_isOk() {
        assertThat(answer("/readyz")).isEqualTo(new Probes.Answer(200, "ok"));
        assertThat(probes.answer("/readyz", "verbose").text())
                .isEqualTo("[+]ping ok\n[+]store ok\n[+]shutdown ok\nreadyz check passed\n");
        assertThat(probes.answer("/livez", "verbose=1").text()).isEqualTo("[+]ping ok\nlivez check passed\n");
    }

    @Test
    void readyz_queryThatIsNoUtf8_isRefused() {
        assertThat(probes.answer("/readyz", "exclude=%ff"))
                .isEqualTo(new Probes.Answer(400, "query parameter: \"exclude=%ff\" (expected UTF-8)\n"));
    }

    @Test
    void readyz_failedCheck_isNamedWithoutItsReason() {
        storeFailure = Optional.of("disk full");

        assertThat(answer("/readyz"))
                .isEqualTo(new Probes.Answer(
                        500, "[+]ping ok\n[-]store failed: reason withheld\n[+]shutdown ok\nreadyz check failed\n"));
        assertThat(answer("/readyz/store").code()).isEqualTo(500);
        assertThat(answer("/readyz/shutdown").code()).isEqualTo(200);
        assertThat(answer("/readyz/other").code()).isEqualTo(404);
        assertThat(answer("/readyz/ping").code()).isEqualTo(200);
        assertThat(probes.answer("/readyz", "exclude=store").code()).isEqualTo(200);
        assertThat(probes.answer("/readyz", "exclude=shutdown&exclude=store&verbose")
                        .text())
                .contains("[+]store excluded: ok\n");
    }

    @Test
    void shutDown_failsReadinessAndNotLiveness() {
        health.shutDown();

        assertThat(answer("/readyz").code()).isEqualTo(500);
        assertThat(answer("/livez").code()).isEqualTo(200);
        assertThat(answer("/healthz").code()).isEqualTo(200);
    }

    private Probes.Answer answer(String path) {
        return probes.answer(path, "");
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
