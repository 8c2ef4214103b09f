package io.fairlead.net;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** One upstream cannot take what another needs, and all together not what the process has. */
class ConnectionBudgetTest {
    private final ConnectionBudget all = new ConnectionBudget(3);
    private final ConnectionBudget one = all.part(2);
    private final ConnectionBudget other = all.part(2);

    @Test
    void part_isBoundedByItself_andByTheWhole() {
        assertThat(one.take()).isTrue();
        assertThat(one.take()).isTrue();
        assertThat(one.take()).isFalse();
        assertThat(other.take()).isTrue();
        assertThat(other.take()).isFalse();

        one.giveBack();

        assertThat(other.take()).isTrue();
        assertThat(one.take()).as("what was refused took nothing").isFalse();
        other.giveBack();
        assertThat(one.take()).isTrue();
    }
}
