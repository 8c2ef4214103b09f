package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.edge.RawClient.RawAnswer;
import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.model.ClusterName;
import io.fairlead.model.UserInfo;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An update through a publication that creates what is missing: the target has allowed the update alone, and is asked. */
final class PublishedCreationTest extends PublicationFixture {
    private static final String ARK = BOATS + "/ark";

    /** As the source does with an apply of what is missing; the cluster's own RBAC is never asked. */
    @BeforeEach
    void createWhatIsMissing() {
        dev.allow((_, _) -> false);
        dev.answer(PublishedCreationTest::created);
    }

    private static ApiResponse created(ApiRequest asked) {
        if (asked.creationCheck() == null) {
            return FakeHosted.json(500, "{}");
        }
        asked.creationCheck().accept(asked.info().withVerb("create"));
        return FakeHosted.json(201, "{}");
    }

    @Test
    void attachedTarget_isAskedByAReview_asItKnowsTheUser() throws Exception {
        Reviewing target = new Reviewing(edge.attach("east"));
        String[] user = {"X-Remote-User: ann", "X-Remote-Uid: u1", "X-Remote-Group: system:masters"};

        assertThat(apply(user).status()).isEqualTo(201);
        assertThat(target.asked())
                .containsExactly(
                        "ann u1 [system:masters, system:authenticated] create example.com v1 boats default ark");

        target.verbs = verb -> !verb.equals("create");
        RawAnswer denied = apply("X-Remote-User: ben");
        assertThat(denied.status()).isEqualTo(403);
        assertThat(denied.body())
                .contains("boats.example.com \\\"ark\\\" is forbidden: User \\\"ben\\\" cannot create resource");
    }

    @Test
    void hostedTarget_isAskedByItsRbac() throws Exception {
        edge.host("east")
                .allow((user, asked) -> user.name().equals("ann")
                        && user.groups().contains(UserInfo.MASTERS)
                        && asked.verb().equals("create"));

        assertThat(apply(ANN, "X-Remote-Group: system:masters").status()).isEqualTo(201);
        assertThat(apply("X-Remote-User: ben").status()).isEqualTo(403);
    }

    @Test
    void targetThatDoesNotSay_allowsNothing() throws Exception {
        RawAnswer unknown = apply(ANN);

        assertThat(unknown.status()).isEqualTo(503);
        assertThat(unknown.body())
                .contains(
                        "AccessUndecided",
                        "cluster \\\"" + new ClusterName("east")
                                + "\\\" does not say whether the caller may create boats.example.com");

        edge.attach("east").answer((_, _, out) -> RawUpstream.respond(out, 403, "{}"));
        assertThat(apply(ANN).status()).isEqualTo(403);
    }

    private RawAnswer apply(String... headers) throws Exception {
        RawClient proxy = proxy(east);
        proxy.send("PATCH " + ARK + "?fieldManager=m HTTP/1.1\r\nHost: localhost\r\n" + String.join("\r\n", headers)
                + "\r\nContent-Type: application/apply-patch+yaml\r\nContent-Length: 2\r\n\r\n{}");
        return proxy.answer(false);
    }
}
