package io.fairlead.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.util.List;
import org.junit.jupiter.api.Test;

class QueryParametersTest {
    @Test
    void all_isReadAsGoReadsIt() {
        assertThat(QueryParameters.of("b=2&a=1&b=%333&c&=x&d=1;2&e=%zz&%66=a+b=c&&b=")
                        .all())
                .containsExactly(
                        entry("b", List.of("2", "33", "")),
                        entry("a", List.of("1")),
                        entry("c", List.of("")),
                        entry("", List.of("x")),
                        entry("f", List.of("a b=c")));
        assertThat(QueryParameters.of("").all()).isEmpty();
    }

    @Test
    void all_valueThatIsNoUtf8_isRefused_andAKeyThatIsNone_isLeftOut() {
        assertThatThrownBy(() -> QueryParameters.of("a=1&b=%ff").all())
                .isInstanceOfSatisfying(
                        StatusException.class,
                        refused -> assertThat(refused.status().code()).isEqualTo(400))
                .hasMessageContaining("b=%ff");
        assertThat(QueryParameters.of("%ff=1&a=1").all()).containsOnlyKeys("a");
    }
}
