package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.cluster.Api.Answer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** In which order reads are refused, and what they answer of nothing. Expected texts are those of a kube-apiserver 1.36. */
class ReadRefusalsTest extends EveryKindFixture {
    private static final String PARTIAL = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";
    private static final String PARTIAL_LIST = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";
    private static final String TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                MAPS + "?limit=1 | 406 | you requested PartialObjectMetadata, but the requested object is a list"
                        + " (*core.ConfigMapList)",
                MAPS + "?resourceVersion=x | 400 | invalid resource version: resourceVersion: Invalid value: \"x\":"
                        + " strconv.ParseUint: parsing \"x\": invalid syntax",
            })
    void formOfOneObject_isRefusedOfAListOnlyOnceItIsRead(String path, int code, String message) {
        Answer refused = api.get(path, PARTIAL).expect(code);

        assertThat(refused.message()).isEqualTo(message);
    }

    @Test
    void formOfAList_isRefusedOfOneObjectOnlyOnceItIsRead() {
        api.create(MAPS, "{metadata: {name: m}}").expect(201);

        api.get(MAPS + "/other", PARTIAL_LIST).expect(404);
        api.get(MAPS + "/m", PARTIAL_LIST).expect(406);
    }

    @Test
    void selectorThatCannotBeRead_isToldBeforeOptionsThatContradictEachOther() {
        String contradiction = "&resourceVersion=0&resourceVersionMatch=Exact";

        Answer unreadable = api.get(MAPS + "?fieldSelector=metadata.name" + contradiction);
        Answer unknown = api.get(MAPS + "?fieldSelector=spec.x%3Dy" + contradiction);

        assertThat(unreadable.expect(400).message())
                .isEqualTo("invalid selector: 'metadata.name'; can't understand 'metadata.name'");
        unknown.expect(422);
    }

    @Test
    void fieldThatAJobCannotBeSelectedBy_isToldWithTheKind() {
        Answer refused = api.get("/apis/batch/v1/namespaces/default/jobs?fieldSelector=status.replicas%3D0");

        assertThat(refused.expect(400).message()).isEqualTo("field label \"status.replicas\" not supported for Job");
    }

    @Test
    void metadataOfNothing_areNoItems() {
        assertThat(api.get(MAPS + "?labelSelector=none", PARTIAL_LIST)
                        .expect(200)
                        .body()
                        .get("items")
                        .isNull())
                .isTrue();
    }

    @Test
    void tableOfNothing_hasNoRows_whereAKindHasNoColumnsOfItsOwn() {
        String capacities = "/apis/storage.k8s.io/v1/namespaces/default/csistoragecapacities";

        assertThat(api.get(capacities, TABLE).expect(200).body().get("rows").isNull())
                .isTrue();
        assertThat(api.get(MAPS + "?labelSelector=none", TABLE)
                        .expect(200)
                        .body()
                        .get("rows")
                        .isArray())
                .isTrue();
    }

    @Test
    void attacher_isShownAsAName() {
        Answer table =
                api.get("/apis/storage.k8s.io/v1/volumeattachments", TABLE).expect(200);

        assertThat(table.at("/columnDefinitions/1/name")).isEqualTo("Attacher");
        assertThat(table.at("/columnDefinitions/1/format")).isEqualTo("name");
    }
}
