package io.fairlead.gateway.enter;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.authn.Identity;
import io.fairlead.gateway.enter.ClusterAccess.Known;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.hosted.TypeEvent;
import io.fairlead.model.ClusterName;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.UserInfo;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ClusterAccessTest {
    private static final ClusterName PROD = new ClusterName("prod");
    private static final Identity ANN = new Identity.OfGateway(UserInfo.of("ann", List.of("devs")));

    private final Root root = new Root();
    private final ClusterAccess access = new ClusterAccess(root);

    @Test
    void answer_isKnownAtOnce_asLongAsTheRightsAreTheSame() {
        assertThat(access.known(ANN, PROD)).isEqualTo(Known.NOT_YET);

        assertThat(access.mayEnter(ANN, PROD)).isTrue();
        assertThat(access.known(ANN, PROD)).isEqualTo(Known.ALLOWED);
        assertThat(access.known(ANN, new ClusterName("dev"))).isEqualTo(Known.NOT_YET);
        assertThat(access.mayEnter(ANN, PROD)).isTrue();
        assertThat(root.questions).isEqualTo(1);
    }

    @Test
    void refusal_isKnownAtOnceToo() {
        root.allows = false;

        assertThat(access.mayEnter(ANN, PROD)).isFalse();
        assertThat(access.known(ANN, PROD)).isEqualTo(Known.REFUSED);
        assertThat(access.mayEnter(ANN, PROD)).isFalse();
        assertThat(root.questions).isEqualTo(1);
    }

    @Test
    void change_ofTheRights_endsWhatIsKnown() {
        access.mayEnter(ANN, PROD);

        root.rights = "revision 2";
        root.allows = false;

        assertThat(access.known(ANN, PROD)).isEqualTo(Known.NOT_YET);
        assertThat(access.mayEnter(ANN, PROD)).isFalse();
        assertThat(access.known(ANN, PROD)).isEqualTo(Known.REFUSED);
    }

    @Test
    void answer_fromRightsThatChangeMeanwhile_isNotKept() {
        root.whenAsked = () -> root.rights = "revision 2";

        assertThat(access.mayEnter(ANN, PROD)).isTrue();
        assertThat(access.known(ANN, PROD)).isEqualTo(Known.NOT_YET);
    }

    @Test
    void rightsThatAreNotKnown_makeNoAnswerKnown() {
        access.mayEnter(ANN, PROD);
        root.rights = null;

        assertThat(access.known(ANN, PROD)).isEqualTo(Known.NOT_YET);
        assertThat(access.mayEnter(ANN, PROD)).isTrue();
        assertThat(access.known(ANN, PROD)).isEqualTo(Known.NOT_YET);
    }

    @Test
    void callerWithOtherGroups_isAnotherOne() {
        access.mayEnter(ANN, PROD);

        Identity now = new Identity.OfGateway(UserInfo.of("ann", List.of("devs", "ops")));
        assertThat(access.known(now, PROD)).isEqualTo(Known.NOT_YET);
    }

    /** {@code ar} and {@code c4} have one hash, and so has every text of them of one length. */
    @Test
    void clustersWhoseNamesHaveOneHash_areToldApartInFewSteps() {
        int names = 1 << 14;
        root.allows = false;
        for (int i = 0; i < names; i++) {
            access.mayEnter(ANN, colliding(i));
        }

        long beganNanos = System.nanoTime();
        for (int i = 0; i < names; i++) {
            assertThat(access.known(ANN, colliding(i))).isNotEqualTo(Known.ALLOWED);
        }

        // Some milliseconds; through all of them for each it would be minutes.
        assertThat(System.nanoTime() - beganNanos).isLessThan(10_000_000_000L);
    }

    private static ClusterName colliding(int number) {
        StringBuilder name = new StringBuilder();
        for (int bit = 0; bit < 14; bit++) {
            name.append((number >> bit & 1) == 0 ? "ar" : "c4");
        }
        return new ClusterName(name.toString());
    }

    @Test
    void administrators_andIdentitiesOfTheCluster_needNoAnswer() {
        Identity admin = new Identity.OfGateway(UserInfo.of("root", List.of("fairlead:admins")));
        Identity ofProd = new Identity.OfCluster(PROD, "voucher", UserInfo.of("root", List.of("system:masters")));

        assertThat(access.known(admin, PROD)).isEqualTo(Known.ALLOWED);
        assertThat(access.known(ofProd, PROD)).isEqualTo(Known.ALLOWED);
        assertThat(access.known(ofProd, new ClusterName("dev"))).isEqualTo(Known.REFUSED);
        assertThat(root.questions).isZero();
    }

    private static final class Root implements HostedCluster {
        @Nullable
        Object rights = "revision 1";

        boolean allows = true;
        int questions;
        Runnable whenAsked = () -> {};

        @Override
        public ClusterName name() {
            return new ClusterName("root");
        }

        @Override
        public Decision authorize(UserInfo user, RequestInfo request) {
            questions++;
            whenAsked.run();
            return allows ? new Decision.Allowed() : new Decision.Denied("");
        }

        @Override
        public @Nullable Object rightsState() {
            return rights;
        }

        @Override
        public Handler crdRuntime() {
            throw new AssertionError("not asked for");
        }

        @Override
        public Handler baseHandler() {
            throw new AssertionError("not asked for");
        }

        @Override
        public AutoCloseable observeTypes(Consumer<TypeEvent> observer) {
            throw new AssertionError("not asked for");
        }
    }
}
