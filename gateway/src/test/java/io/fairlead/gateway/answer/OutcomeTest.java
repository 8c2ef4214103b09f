package io.fairlead.gateway.answer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Several observers of one answer. */
final class OutcomeTest {
    private final List<String> heard = new ArrayList<>();

    @Test
    void all_hearEverything_inTheirOrder() {
        Outcome both = observer("first").and(observer("second"));

        both.answered(200);
        both.events(3);
        both.over();

        assertThat(heard)
                .containsExactly("first 200", "second 200", "first +3", "second +3", "first is over", "second is over");
    }

    /** A share of the limits is given back whatever became of a metric. */
    @Test
    void endIsHeard_alsoIfAnEarlierObserverThrows() {
        Outcome failing = new Outcome() {
            @Override
            public void over() {
                throw new IllegalStateException("of the test");
            }
        };

        assertThatThrownBy(() -> failing.and(observer("second")).over()).hasMessage("of the test");
        assertThat(heard).containsExactly("second is over");
    }

    private Outcome observer(String name) {
        return new Outcome() {
            @Override
            public void answered(int code) {
                heard.add(name + " " + code);
            }

            @Override
            public void events(int count) {
                heard.add(name + " +" + count);
            }

            @Override
            public void over() {
                heard.add(name + " is over");
            }
        };
    }
}
