package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Writes of several field managers have the same results in a hosted cluster as in a real kube-apiserver: the same status, the
 * same object with the same managed fields, the same causes of refusals.
 *
 * <p>{@code -Dfairlead.applied.requests} and {@code -Dfairlead.applied.seed} ask for others than are asked always.
 */
final class ServerSideApplyIT {
    @Test
    void writesOfManyManagers_haveTheSameResults() throws Exception {
        int requests = Integer.getInteger("fairlead.applied.requests", 700);
        long seed = Long.getLong("fairlead.applied.seed", 1);
        List<String> differences = new ArrayList<>();
        int[] statuses = new int[600];
        try (var twins = TwinClusters.start("ServerSideApplyIT", List.of(TwinClusters.ADMIN))) {
            twins.apply(AppliedRequests.DEFINITION);
            twins.kubectl("wait", "--for", "condition=Established", "crd", "--all");
            var next = new AppliedRequests(new SplittableRandom(seed));
            for (int i = 0; i < requests; i++) {
                TwinClusters.Request request = next.next();
                TwinClusters.Answers answers = twins.ask(request);
                String kube = ComparedAnswers.text(answers.kube());
                String hosted = ComparedAnswers.text(answers.hosted());
                statuses[answers.kube().status()]++;
                if (!kube.equals(hosted)) {
                    differences.add("%n%d %s%n  kube   %s%n  hosted %s".formatted(i, request, kube, hosted));
                }
            }
        }
        assertThat(differences).as("seed %d", seed).isEmpty();
        for (int status : List.of(200, 201, 404, 409, 422)) {
            assertThat(statuses[status]).as("requests answered with %d", status).isGreaterThan(requests / 100);
        }
    }
}
