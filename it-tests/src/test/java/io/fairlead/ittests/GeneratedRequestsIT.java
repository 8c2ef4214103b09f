package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Generated requests over every built-in kind and several custom ones are answered by a hosted cluster as by a real
 * kube-apiserver: the same status, the same object with the same managed fields, the same causes of refusals, the same warnings.
 *
 * <p>{@code -Dfairlead.generated.requests} and {@code -Dfairlead.generated.seed} ask for others than are asked always. A request
 * of a seed is the same whatever was answered before, so that its number and the seed say all that is needed to ask it again.
 */
final class GeneratedRequestsIT {
    private static final int REQUESTS_PER_DEFINITION = 60;
    private static final Duration IN_FORCE_WITHIN = Duration.ofSeconds(30);
    private static final String RATCHETS = "/apis/generated.example.com/v1/namespaces/one/ratchets";

    private final KnownDifferences known = KnownDifferences.read();
    private final List<String> differences = new ArrayList<>();
    private final int[] statuses = new int[600];

    @Test
    void generatedRequests_areAnsweredAlike_inASample() throws Exception {
        compare(Integer.getInteger("fairlead.generated.requests", 300), Long.getLong("fairlead.generated.seed", 1));
    }

    @Test
    @Tag("endurance")
    void threeThousandGeneratedRequests_areAnsweredAlike() throws Exception {
        compare(3_000, Long.getLong("fairlead.generated.seed", 2));
    }

    private void compare(int requests, long seed) throws Exception {
        assertThat(known.reasons())
                .hasSizeLessThanOrEqualTo(KnownDifferences.MAX)
                .doesNotContainNull();
        try (var twins = TwinClusters.startWithEveryKind("GeneratedRequestsIT", List.of(TwinClusters.ADMIN))) {
            twins.apply(GeneratedKinds.text("generated-definitions.yaml"));
            twins.kubectl("create", "namespace", "one");
            twins.kubectl("create", "namespace", "two");
            twins.kubectl("wait", "--for", "condition=Established", "crd", "--all");
            var next = new GeneratedRequests(new SplittableRandom(seed), GeneratedKinds.of(twins));
            for (int i = 0; i < requests; i++) {
                if (i % REQUESTS_PER_DEFINITION == REQUESTS_PER_DEFINITION / 2) {
                    define(twins, i / REQUESTS_PER_DEFINITION % 2 == 0 ? "strict" : "loose");
                }
                ask(twins, i, next.next());
            }
        }
        assertThat(differences).as("seed %d", seed).isEmpty();
        for (int status : List.of(200, 201, 400, 404, 409, 422)) {
            assertThat(statuses[status]).as("requests answered with %d", status).isGreaterThan(requests / 100);
        }
    }

    private void ask(TwinClusters twins, int number, GeneratedRequests.Generated generated) throws Exception {
        TwinClusters.Request request = generated.request();
        TwinClusters.Answers answers = twins.askAbout(generated.about(), request);
        compare(number, request, answers);
        boolean isList = request.method().equals("GET") && answers.kube().status() == 200;
        if (isList
                && !TwinClusters.next(answers.kube()).isEmpty()
                && !TwinClusters.next(answers.hosted()).isEmpty()) {
            compare(number, request, twins.askForMore(request, answers));
        }
    }

    private void compare(int number, TwinClusters.Request request, TwinClusters.Answers answers) {
        String kube = ComparedAnswers.text(ComparedAnswers.common(answers.kube()));
        String hosted = ComparedAnswers.text(ComparedAnswers.common(answers.hosted()));
        statuses[answers.kube().status()]++;
        String asked = request.method() + " " + request.target() + " " + request.contentType() + " " + request.accept()
                + " " + request.body();
        if (!kube.equals(hosted) && !known.explain(asked, kube, hosted)) {
            differences.add("%n%d %s%n  kube   %s%n  hosted %s".formatted(number, asked, kube, hosted));
        }
    }

    /** Gives ratchets the other form, and waits until both go by it. */
    private static void define(TwinClusters twins, String form) throws Exception {
        String strict = GeneratedKinds.text("generated-definition-strict.yaml");
        twins.apply(form.equals("strict") ? strict : GeneratedKinds.text("generated-definitions.yaml"));
        var request =
                new TwinClusters.Request(TwinClusters.ADMIN, "POST", RATCHETS + "?dryRun=All", "application/json", """
                    {"apiVersion": "generated.example.com/v1", "kind": "Ratchet", "metadata": {"name": "probe"}, "spec": {}}\
                    """);
        Await.until("ratchets are " + form, IN_FORCE_WITHIN, () -> {
            TwinClusters.Answers answers = twins.ask(request);
            String wanted = "\"form\":\"" + form + "\"";
            return answers.kube().body().contains(wanted)
                    && answers.hosted().body().contains(wanted);
        });
    }
}
