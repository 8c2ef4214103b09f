package io.fairlead.clustersync.fabric8;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class QueryParameterTest {
    @Test
    void value_isFoundByTheWholeName() {
        QueryParameter from = new QueryParameter("resourceVersion");

        assertThat(from.of("watch=true&resourceVersion=12&x=1")).isEqualTo("12");
        assertThat(from.of("resourceVersion=12")).isEqualTo("12");
        assertThat(from.of("resourceVersionMatch=Exact")).isEmpty();
        assertThat(from.of("xresourceVersion=1")).isEmpty();
        assertThat(from.of(null)).isEmpty();
    }

    @Test
    void value_isReplaced_whereverTheFieldStands() {
        QueryParameter from = new QueryParameter("resourceVersion");

        assertThat(from.replace("https://x/a?resourceVersion=5&watch=true", "5", "7"))
                .isEqualTo("https://x/a?resourceVersion=7&watch=true");
        assertThat(from.replace("https://x/a?xresourceVersion=5&resourceVersion=55&resourceVersion=5", "5", "7"))
                .isEqualTo("https://x/a?xresourceVersion=5&resourceVersion=55&resourceVersion=7");
        assertThat(from.replace("https://x/resourceVersion=5", "5", "7")).isEqualTo("https://x/resourceVersion=5");
    }
}
