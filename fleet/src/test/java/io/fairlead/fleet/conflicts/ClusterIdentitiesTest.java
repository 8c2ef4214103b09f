package io.fairlead.fleet.conflicts;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.clustersync.ClusterFingerprint;
import io.fairlead.clustersync.ObservedIdentity;
import io.fairlead.clustersync.source.Finding;
import io.fairlead.index.conflicts.ConflictState;
import io.fairlead.index.conflicts.KeyHolder;
import io.fairlead.schema.json.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** The verdicts about registrations, reading by reading. */
final class ClusterIdentitiesTest {
    private static final Instant NOW = Instant.parse("2026-11-24T12:00:00Z");

    private final List<String> transitions = new ArrayList<>();
    private final ClusterIdentities identities = new ClusterIdentities(() -> NOW, new ConflictTransitions() {
        @Override
        public void began(String kind) {
            transitions.add(kind + " Conflict");
        }

        @Override
        public void resolved(String kind) {
            transitions.add(kind + " Resolved");
        }
    });

    @Test
    void newcomerWithOtherKeys_isNoCopy_untilTheFirstOneWasReadAgain() {
        observe("first", 1, "a");
        identities.serves("first");

        observe("second", 2, "b");

        assertThat(state("second")).isEqualTo(ConflictState.CONFLICT);
        assertThat(identities.doubted()).containsExactly("first");
        assertThat(identities.doubted()).as("once").isEmpty();

        observe("first", 3, "a");

        assertThat(state("second")).isEqualTo(ConflictState.HELD);
        assertThat(verdict("second").verified().reason()).isEqualTo("Clone");
    }

    @Test
    void newcomerWithTheNewKeys_isTheSame_onceTheFirstOneWasReadAgain() {
        observe("first", 1, "a");
        identities.serves("first");
        observe("second", 2, "b");

        observe("first", 3, "b");
        observe("first", 4, "a");

        assertThat(state("second")).isEqualTo(ConflictState.CONFLICT);
        assertThat(state("first")).isEqualTo(ConflictState.HELD);
    }

    @Test
    void transitions_areCountedForEachHolder() {
        observe("first", 1, "a");
        observe("second", 2, "a");
        assertThat(transitions).containsExactly("cluster-identity Conflict", "cluster-identity Conflict");
        assertThat(identities.contests()).hasSize(1);

        assertThat(identities.forget("first")).containsExactly("second");

        assertThat(transitions)
                .endsWith("cluster-identity Resolved", "cluster-identity Resolved")
                .hasSize(4);
        assertThat(identities.contests()).isEmpty();
        assertThat(identities.verdict("first")).isNull();
    }

    @Test
    void registrationMadeAnewUnderAName_hasNothingOfTheOneBefore() {
        observe("first", 1, "a");
        identities.serves("first");
        observe("second", 2, "a");

        identities.observe(
                new Registrant(new KeyHolder("first", "another uid", NOW), "", "", ObservedIdentity.NOT_READ),
                Json.object());

        assertThat(state("first")).isEqualTo(ConflictState.EVALUATING);
        assertThat(state("second")).isEqualTo(ConflictState.HELD);
    }

    @Test
    void statusOfManyPeers_namesTheFirst_andCountsAll() {
        for (int i = 10; i < 60; i++) {
            observe("cluster-" + i, i, "a");
        }
        ObjectNode status = Json.object();

        verdict("cluster-10").write(status);

        assertThat(status.at("/conflicts/0/peersTotal").asInt()).isEqualTo(49);
        assertThat(status.at("/conflicts/0/peers")).hasSize(32);
        assertThat(status.at("/conflicts/0/since").asString()).isEqualTo("2026-11-24T12:00:00Z");
        assertThat(IdentityRecord.read(status)).isEqualTo(verdict("cluster-10").record());
    }

    @Test
    void aliasOfOneThatLost_isWithheldWithIt() {
        observe("first", 1, "a");
        identities.serves("first");
        observe("second", 2, "a");
        identities.observe(new Registrant(holder("third"), "second", "", observed(3, "a")), Json.object());

        assertThat(verdict("third").isWithheld()).isTrue();

        identities.forget("first");

        assertThat(verdict("third").isWithheld()).isFalse();
        assertThat(verdict("second").isWithheld()).isFalse();
    }

    @Test
    void olderAliasThatIsNoneAnyMore_doesNotTakeTheOneDownBesideWhichItWasServed() {
        observe("working", 1, "a");
        identities.serves("working");
        identities.observe(new Registrant(older("alias"), "working", "", observed(2, "a")), Json.object());
        identities.serves("alias");

        identities.observe(new Registrant(older("alias"), "", "", observed(2, "a")), Json.object());

        assertThat(state("working")).isEqualTo(ConflictState.HELD);
        assertThat(verdict("alias").isWithheld()).isTrue();
    }

    @Test
    void olderRegistrationThatIsMadeAnAliasAndNoneAgain_hasLostItsPlaceByThat() {
        observe("working", 1, "a");
        identities.serves("working");
        IdentityRecord held = new IdentityRecord("0f6c", "0f6c", new TreeSet<>(List.of("a")), true);
        ObjectNode status = Json.object();
        held.write(status);
        identities.observe(new Registrant(older("alias"), "working", "", observed(2, "a")), status);

        identities.observe(new Registrant(older("alias"), "", "", observed(2, "a")), Json.object());

        assertThat(state("working")).isEqualTo(ConflictState.HELD);
        assertThat(verdict("alias").isWithheld()).isTrue();
    }

    @Test
    void olderCopyThatShowsTheKeysOfAnotherClusterLater_doesNotTakeThatDown() {
        observe("working", 1, "a");
        identities.serves("working");
        identities.observe(new Registrant(older("copy"), "", "", observed(2, "b")), Json.object());
        observe("working", 3, "a");
        identities.serves("copy");
        assertThat(verdict("copy").isWithheld()).isFalse();

        identities.observe(new Registrant(older("copy"), "", "", observed(4, "a", "b")), Json.object());

        assertThat(verdict("working").isWithheld()).isFalse();
        assertThat(verdict("working").record().holds()).isTrue();
        assertThat(verdict("copy").verified().reason()).isEqualTo("Clone");
        assertThat(identities.contests()).isEmpty();
    }

    @Test
    void olderRegistrationOfWhichTheStatusSaysThatItHolds_takesNoneDown() {
        observe("working", 1, "a");
        identities.serves("working");
        ObjectNode forged = Json.object();
        new IdentityRecord("0f6c", "0f6c", new TreeSet<>(List.of("a")), true).write(forged);

        identities.observe(new Registrant(older("other"), "", "", ObservedIdentity.NOT_READ), forged);

        assertThat(verdict("working").isWithheld()).isFalse();
    }

    @Test
    void aliasWhoseTargetLeaves_staysBeforeOlderOnesThatAreNotServed() {
        observe("working", 1, "a");
        identities.serves("working");
        identities.observe(new Registrant(holder("alias"), "working", "", observed(2, "a")), Json.object());
        identities.serves("alias");
        identities.observe(new Registrant(older("waiting"), "", "", observed(3, "a")), Json.object());

        identities.forget("working");

        assertThat(verdict("alias").isWithheld()).isFalse();
        assertThat(verdict("waiting").isWithheld()).isTrue();
    }

    @Test
    void aliasThatLeadsToAnotherClusterLater_hasMoved() {
        observe("working", 1, "a");
        identities.serves("working");
        identities.observe(new Registrant(holder("alias"), "working", "", observed(2, "a")), Json.object());
        identities.serves("alias");

        identities.observe(
                new Registrant(
                        holder("alias"),
                        "working",
                        "",
                        new ObservedIdentity(
                                Optional.of(ClusterFingerprint.of("other")),
                                3,
                                Finding.yes("Verified", "of the test"))),
                Json.object());

        assertThat(verdict("alias").holdsWrites()).isTrue();
    }

    @Test
    void aliasOfAnAlias_isConcernedByWhatBecomesOfTheOneThatBothAreServedBeside() {
        observe("first", 1, "a");
        identities.serves("first");
        observe("second", 2, "a");
        identities.observe(new Registrant(holder("third"), "second", "", observed(3, "a")), Json.object());
        identities.observe(new Registrant(holder("fourth"), "third", "", observed(4, "a")), Json.object());
        assertThat(verdict("fourth").isWithheld()).isTrue();

        identities.forget("first");
        Set<String> concerned = identities.serves("second");

        assertThat(concerned).contains("third", "fourth");
    }

    private static KeyHolder older(String name) {
        return new KeyHolder(name, "uid of " + name, NOW.minusSeconds(60));
    }

    private void observe(String name, long order, String... keys) {
        identities.observe(new Registrant(holder(name), "", "", observed(order, keys)), Json.object());
    }

    private static KeyHolder holder(String name) {
        return new KeyHolder(name, "uid of " + name, NOW);
    }

    private static ObservedIdentity observed(long order, String... keys) {
        return new ObservedIdentity(
                Optional.of(new ClusterFingerprint("0f6c", new TreeSet<>(List.of(keys)), "")),
                order,
                Finding.yes("Verified", "of the test"));
    }

    private ConflictState state(String name) {
        return verdict(name).standing().state();
    }

    private IdentityVerdict verdict(String name) {
        return Objects.requireNonNull(identities.verdict(name));
    }
}
