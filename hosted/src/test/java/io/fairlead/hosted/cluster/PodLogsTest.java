package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.cluster.Api.Answer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Logs of pods, which run nowhere. Expected answers are those of a kube-apiserver 1.36, but for what it asks of a kubelet. */
class PodLogsTest extends EveryKindFixture {
    private static final String PODS = "/api/v1/namespaces/default/pods";

    @BeforeEach
    void createPods() {
        create("one", "containers: [{name: c, image: i}]");
        create("two", "initContainers: [{name: i, image: i}], containers: [{name: a, image: i}, {name: b, image: i}]");
        create("lost", "nodeName: gone, containers: [{name: c, image: i}]");
        create("bound", "nodeName: there, containers: [{name: c, image: i}]");
        api.create("/api/v1/nodes", "{apiVersion: v1, kind: Node, metadata: {name: there}}")
                .expect(201);
    }

    private void create(String name, String spec) {
        api.create(PODS, "{apiVersion: v1, kind: Pod, metadata: {name: %s}, spec: {%s}}".formatted(name, spec))
                .expect(201);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "one/log",
                "one/log?container=",
                "one/log?container=c&follow=true",
                "one/log?follow=maybe&sinceTime=",
                "one/log?tailLines=0&limitBytes=1&sinceSeconds=1",
                "two/log?container=i",
                "two/log?container=b",
            })
    void logOfAPodWithoutNode_isEmpty(String path) {
        assertThat(api.get(PODS + "/" + path, "text/plain").expect(204).body()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "none/log | 404 | pods 'none' not found",
                "one/log?container=x | 400 | container x is not valid for pod one",
                "two/log | 400 | a container name must be specified for pod two, choose one of: [i a b]",
                "lost/log | 404 | pods 'gone' not found",
                "none/log?tailLines=-1 | 422 | PodLogOptions 'none' is invalid: tailLines: Invalid value: -1: must be"
                        + " greater than or equal to 0",
                "one/log?limitBytes=0 | 422 | PodLogOptions 'one' is invalid: limitBytes: Invalid value: 0: must be"
                        + " greater than 0",
                "one/log?sinceSeconds=0 | 422 | PodLogOptions 'one' is invalid: sinceSeconds: Invalid value: 0: must be"
                        + " greater than 0",
                "one/log?sinceSeconds=5&sinceTime=2020-01-01T00:00:00Z | 422 | PodLogOptions 'one' is invalid: []:"
                        + " Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified",
                "one/log?stream=All | 422 | PodLogOptions 'one' is invalid: stream: Forbidden: may not be specified",
                "one/log?tailLines= | 400 | strconv.ParseInt: parsing '': invalid syntax",
                "one/log?limitBytes=99999999999999999999 | 400 | strconv.ParseInt: parsing '99999999999999999999':"
                        + " value out of range",
                "one/log?sinceTime=yesterday | 400 | parsing time 'yesterday' as '2006-01-02T15:04:05Z07:00': cannot"
                        + " parse 'yesterday' as '2006'",
                "one/log/x | 404 | the server could not find the requested resource",
            })
    void requestThatNeedsNoKubelet_isAnswered(String path, int code, String message) {
        assertThat(api.get(PODS + "/" + path).expect(code).message()).isEqualTo(message.replace('\'', '"'));
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "DELETE", "HEAD"})
    void log_isOnlyRead(String method) {
        assertThat(api.send(method, PODS + "/one/log", "application/json", new byte[0])
                        .code())
                .isEqualTo(405);
    }

    @Test
    void logThatAKubeletWouldHave_isNotOffered() {
        Answer refused = api.get(PODS + "/bound/log");

        assertThat(refused.expect(501).at("/details/causes/0/reason")).isEqualTo("LogsNotOffered");
        assertThat(refused.message())
                .isEqualTo("cluster \"all\": it is hosted and runs no pods, so that they have no logs (expected an"
                        + " attached cluster)");
    }
}
