package io.fairlead.gateway.listen;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who gives up a place when there is none left. */
class StrangersTest {
    private final Strangers strangers = new Strangers();
    private final List<String> closed = new ArrayList<>();

    @Test
    void oldest_isClosedFirst_andEachOnce() {
        came("first");
        came("second");

        assertThat(strangers.closeOldest()).isTrue();
        assertThat(strangers.closeOldest()).isTrue();
        assertThat(strangers.closeOldest()).isFalse();
        assertThat(closed).containsExactly("first", "second");
    }

    @Test
    void connectionThatIsKnown_staysOpen() {
        Strangers.Stranger known = came("known");
        came("unknown");
        known.isNoLonger();
        known.isNoLonger();

        assertThat(strangers.closeOldest()).isTrue();
        assertThat(strangers.closeOldest()).isFalse();
        assertThat(closed).containsExactly("unknown");
    }

    private Strangers.Stranger came(String name) {
        return strangers.came(() -> closed.add(name));
    }
}
