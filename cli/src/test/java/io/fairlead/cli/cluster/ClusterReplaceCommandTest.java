package io.fairlead.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What {@code cluster attach --replace} puts in the place of what, and when it changes nothing. */
final class ClusterReplaceCommandTest extends ClusterAttachFixture {
    @Test
    void replace_putsASecondSecretInThePlaceOfTheFirst() {
        registered = "{\"attached\":{\"kubeconfigSecretRef\":{\"name\":\"cluster-prod\"}}}";

        assertThat(attach("--replace")).as("%s", err).isZero();

        assertThat(requests)
                .satisfiesExactly(
                        first -> assertThat(first).startsWith("GET " + CLUSTER + "/prod"),
                        second -> assertThat(second)
                                .startsWith("POST " + SECRET)
                                .contains("\"name\":\"cluster-prod.2\"", "\"kubeconfig\":\""),
                        third -> assertThat(third)
                                .startsWith("PATCH " + SECRET + "/cluster-prod.2 ")
                                .contains("\"uid\":\"uid-of-prod\""),
                        fourth -> assertThat(fourth)
                                .isEqualTo("PATCH " + CLUSTER + "/prod {\"spec\":{\"attached\":{\"endpoints\":null,"
                                        + "\"caBundle\":null,\"caSecretRef\":null,\"tlsServerName\":null,"
                                        + "\"credentialSecretRef\":null,\"proxyUrl\":null,\"renewToken\":null,"
                                        + "\"kubeconfigSecretRef\":{\"name\":\"cluster-prod.2\"}}}}"),
                        fifth -> assertThat(fifth).isEqualTo("GET " + CLUSTER + "/prod "),
                        sixth -> assertThat(sixth).as("whether another uses it").isEqualTo("GET " + CLUSTER + " "),
                        seventh -> assertThat(seventh).isEqualTo("DELETE " + SECRET + "/cluster-prod "));
    }

    @Test
    void replace_ofASecondSecret_putsTheFirstInItsPlace_andLeavesSecretsOfOthers() {
        registered = "{\"attached\":{\"kubeconfigSecretRef\":{\"name\":\"cluster-prod.2\"},"
                + "\"crdRuntime\":{\"credentialSecretRef\":{\"name\":\"someone-elses\"}}}}";

        assertThat(attach("--replace")).as("%s", err).isZero();

        assertThat(requests)
                .anySatisfy(request ->
                        assertThat(request).startsWith("POST " + SECRET).contains("\"cluster-prod\""))
                .noneMatch(request -> request.contains("someone-elses"))
                .endsWith("DELETE " + SECRET + "/cluster-prod.2 ");
    }

    @Test
    void replace_changesNoLabels_norWhatTheClusterWaitsFor() {
        assertThat(attach("--replace", "--label", "stage=production")).isEqualTo(64);
        assertThat(attach("--replace", "--alias-of", "other")).isEqualTo(64);

        assertThat(err.toString()).contains("--label", "for a new registration");
        assertThat(requests).isEmpty();
    }

    @Test
    void replace_thatIsRefused_leavesWhatWasThere() {
        registered = "{\"attached\":{\"kubeconfigSecretRef\":{\"name\":\"cluster-prod\"}}}";
        patchStatus = 403;
        patched = CLUSTER;

        assertThat(attach("--replace")).isEqualTo(1);

        assertThat(requests).endsWith("DELETE " + SECRET + "/cluster-prod.2 ");
        assertThat(requests).doesNotContain("DELETE " + SECRET + "/cluster-prod ");
    }

    @Test
    void replace_ofAClusterThatHasNoCredentialToReplace_saysWhy() {
        assertThat(attach("--replace")).isEqualTo(1);
        assertThat(err.toString()).contains("cluster \"prod\" does not exist", "attach it without --replace");

        registered = "{\"hosted\":{}}";
        assertThat(attach("--replace")).isEqualTo(1);
        assertThat(err.toString()).contains("cluster \"prod\" is hosted");
        assertThat(requests).hasSize(2);
    }

    @Test
    void replace_ofAClusterThatAFileDeclares_namesTheFile() {
        registered = "{\"attached\":{\"kubeconfigSecretRef\":{\"name\":\"kube\"}}}";
        annotations = "{\"fairlead.io/source-file\":\"prod.yaml\"}";

        assertThat(attach("--replace")).isEqualTo(1);

        assertThat(err.toString()).contains("is declared by prod.yaml", "change that file");
        assertThat(requests).hasSize(1);
    }

    @Test
    void replace_byAKubeconfigThatLeadsToAnotherCluster_changesNothing() {
        registered = "{\"attached\":{\"kubeconfigSecretRef\":{\"name\":\"cluster-prod\"}}}";
        uidOfTrial = "other";

        assertThat(attach("--replace", "--timeout", "5")).isEqualTo(1);

        assertThat(err.toString())
                .contains("leads to another cluster than \"prod\" is: namespace kube-system has uid other there")
                .contains("nothing was changed");
        assertThat(requests).noneMatch(request -> request.startsWith("PATCH " + CLUSTER));
        assertThat(requests.subList(requests.size() - 2, requests.size()))
                .satisfiesExactly(
                        cluster -> assertThat(cluster).matches("DELETE " + CLUSTER + "/prod-[0-9a-f]{8} "),
                        secret -> assertThat(secret).matches("DELETE " + SECRET + "/cluster-prod-[0-9a-f]{8} "));
    }

    /** A registration that is not identified yet is none of which the trial could be an alias. */
    @Test
    void replace_ofAnAliasThatWasNeverServed_triesBesideTheRegistrationThatItNames() {
        registered = "{\"aliasOf\":\"other\",\"attached\":{\"kubeconfigSecretRef\":{\"name\":\"cluster-prod\"}}}";

        assertThat(attach("--replace", "--timeout", "5")).as("%s", err).isZero();

        assertThat(requests)
                .anySatisfy(request ->
                        assertThat(request).startsWith("POST " + CLUSTER).contains("\"aliasOf\":\"other\""));
    }

    @Test
    void replace_ofAnAliasThatHasThePlace_triesBesideItself() {
        registered = "{\"aliasOf\":\"other\",\"attached\":{\"kubeconfigSecretRef\":{\"name\":\"cluster-prod\"}}}";
        identity = "{\"holds\":true}";

        assertThat(attach("--replace", "--timeout", "5")).as("%s", err).isZero();

        assertThat(requests)
                .anySatisfy(request ->
                        assertThat(request).startsWith("POST " + CLUSTER).contains("\"aliasOf\":\"prod\""));
    }

    /** The trial is gone by then. */
    @Test
    void replace_byAKubeconfigOfAnotherRegistration_advisesNothingOfTheTrial() {
        registered = "{\"attached\":{\"kubeconfigSecretRef\":{\"name\":\"cluster-prod\"}}}";
        readinessOfTrial =
                "{\"type\":\"Ready\",\"status\":\"False\",\"message\":\"the endpoints lead to the cluster that"
                        + " 'dev' is registered for (expected other endpoints; or delete \\\"TRIAL\\\")\"}";

        assertThat(attach("--replace", "--timeout", "1")).isEqualTo(1);

        assertThat(err.toString())
                .contains("with it the cluster is not Ready: the endpoints lead to the cluster that 'dev' is registered"
                        + " for\n");
    }

    @Test
    void replace_byACredentialThatDoesNotWork_changesNothing() {
        registered = "{\"attached\":{\"kubeconfigSecretRef\":{\"name\":\"cluster-prod\"}}}";
        readinessOfTrial = "{\"type\":\"Ready\",\"status\":\"False\",\"message\":\"it is refused\"}";

        assertThat(attach("--replace", "--timeout", "1")).isEqualTo(1);

        assertThat(err.toString())
                .contains("the new credential was not put in place: with it the cluster is not Ready: it is refused")
                .contains("cluster \"prod\" has the one that it had");
        assertThat(requests).noneMatch(request -> request.startsWith("PATCH " + CLUSTER));
        assertThat(requests.getLast()).startsWith("DELETE " + SECRET + "/cluster-prod-");
    }

    @Test
    void replace_byAKubeconfigThatDoesNotSayWhichClusterItLeadsTo_changesNothing() {
        registered = "{\"attached\":{\"kubeconfigSecretRef\":{\"name\":\"cluster-prod\"}}}";
        annotations = "{\"fairlead.io/kube-system-uid\":\"uid\"}";
        uidOfTrial = "";

        assertThat(attach("--replace", "--timeout", "5")).isEqualTo(1);

        assertThat(err.toString())
                .contains(
                        "whether the kubeconfig leads to cluster \"prod\" is not known, since with it the question for"
                                + " namespace kube-system is answered 403")
                .contains(": namespaces \"kube-system\" is forbidden: User \"ann\" cannot get resource \"namespaces\"")
                .contains("nothing was changed; be allowed to read namespace kube-system there")
                .contains("unless spec.attached.impersonation.allowSystemMasters is true")
                .contains("--no-wait put it in place without that proof");
        assertThat(requests).noneMatch(request -> request.startsWith("PATCH " + CLUSTER));
    }

    @Test
    void replace_ofACredentialThatIsOfNoUseAnyMore_goesByTheUidThatWasNoted() {
        registered = "{\"attached\":{\"kubeconfigSecretRef\":{\"name\":\"cluster-prod\"}}}";
        uidOfProd = "";
        annotations = "{\"fairlead.io/kube-system-uid\":\"other\"}";
        assertThat(attach("--replace", "--timeout", "5")).isEqualTo(1);
        assertThat(err.toString()).contains("has uid uid there and other in \"prod\"");
        assertThat(requests).noneMatch(request -> request.startsWith("PATCH " + CLUSTER));

        annotations = "{\"fairlead.io/kube-system-uid\":\"uid\"}";
        assertThat(attach("--replace", "--timeout", "5")).as("%s", err).isZero();
        assertThat(requests).endsWith("DELETE " + SECRET + "/cluster-prod ");
    }

    @Test
    void replace_ofAClusterThatHangs_goesByTheUidThatWasNoted() {
        registered = "{\"attached\":{\"kubeconfigSecretRef\":{\"name\":\"cluster-prod\"}}}";
        isProdHanging = true;

        assertThat(attach("--replace", "--timeout", "1")).isEqualTo(1);
        assertThat(err.toString())
                .contains(
                        "which cluster \"prod\" is was never found out, and with the credential of before the question"
                                + " for namespace kube-system is not answered within 1 s");

        annotations = "{\"fairlead.io/kube-system-uid\":\"uid\"}";
        assertThat(attach("--replace", "--timeout", "1")).as("%s", err).isZero();
    }

    @Test
    void replace_whereNothingSaysWhichClusterItIs_changesNothing_unlessToldTo() {
        registered = "{\"attached\":{\"kubeconfigSecretRef\":{\"name\":\"cluster-prod\"}}}";
        uidOfProd = "";

        assertThat(attach("--replace", "--timeout", "5")).isEqualTo(1);
        assertThat(err.toString())
                .contains(
                        "which cluster \"prod\" is was never found out, and with the credential of before the question"
                                + " for namespace kube-system is answered 403")
                .contains("--no-wait puts it in place without that proof");
        assertThat(requests).noneMatch(request -> request.startsWith("PATCH " + CLUSTER));

        assertThat(attach("--replace")).as("%s", err).isZero();
    }

    @Test
    void replace_ofAClusterThatIsChangedMeanwhile_changesNothing() {
        registered = "{\"attached\":{\"kubeconfigSecretRef\":{\"name\":\"cluster-prod\"}}}";
        changesDuringTrial = true;

        assertThat(attach("--replace", "--timeout", "5")).isEqualTo(1);

        assertThat(err.toString()).contains("cluster \"prod\" was changed while the new credential was tried");
        assertThat(requests).noneMatch(request -> request.startsWith("PATCH " + CLUSTER));
    }

    /** Without its Secret the cluster would not be served, and its watches would end. */
    @Test
    void replace_leavesTheOldSecretUntilTheNewOneIsUsed() {
        registered = "{\"attached\":{\"kubeconfigSecretRef\":{\"name\":\"cluster-prod\"}}}";
        readsBeforeUse.set(5);

        assertThat(attach("--replace")).as("%s", err).isZero();

        assertThat(readsBeforeUse.get()).isZero();
        assertThat(requests)
                .endsWith("GET " + CLUSTER + "/prod ", "GET " + CLUSTER + " ", "DELETE " + SECRET + "/cluster-prod ");
    }

    @Test
    void replace_ofWhichTheOutcomeIsNotKnown_leavesTheNewSecret() {
        registered = "{\"attached\":{\"kubeconfigSecretRef\":{\"name\":\"cluster-prod\"}}}";
        patchStatus = 504;
        patched = CLUSTER;

        assertThat(attach("--replace")).isEqualTo(1);

        assertThat(requests).noneMatch(request -> request.startsWith("DELETE"));
    }

    /** The registration cannot refer to it yet. */
    @Test
    void replace_whoseSecretCannotBeOwned_takesItBack() {
        registered = "{\"attached\":{\"kubeconfigSecretRef\":{\"name\":\"cluster-prod\"}}}";
        patchStatus = 504;
        patched = SECRET;

        assertThat(attach("--replace")).isEqualTo(1);

        assertThat(requests).endsWith("DELETE " + SECRET + "/cluster-prod.2 ");
    }

    @Test
    void replace_whoseSecondSecretAnotherClusterUses_takesTheFirstBack() {
        registered = "{\"attached\":{\"kubeconfigSecretRef\":{\"name\":\"cluster-prod\"}}}";
        secretThere = "crd-runtime-prod";
        leftOver = trial("other", "crd-runtime-prod");

        assertThat(attach(
                        "--replace",
                        "--crd-runtime-from-kubeconfig",
                        folder.resolve("kubeconfig").toString()))
                .isEqualTo(1);

        assertThat(err.toString()).contains("is used by cluster \"other\"");
        assertThat(requests)
                .endsWith("DELETE " + SECRET + "/cluster-prod.2 ")
                .noneMatch(request -> request.startsWith("PATCH " + CLUSTER));
    }

    /** A trial keeps to whom the cluster is told of, and what a former one left is removed. */
    @Test
    void replace_triesTheCredentialUnderANameOfItsOwn_thenPutsItInPlace() {
        registered = "{\"attached\":{\"kubeconfigSecretRef\":{\"name\":\"cluster-prod\"},"
                + "\"impersonation\":{\"deniedGroups\":[\"ops\"]}}}";
        leftOver = trial("prod-0a1b2c3d", "cluster-prod-0a1b2c3d") + "," + trial("prod-left", "cluster-prod-left") + ","
                + trial("prod-0a1b2c3e", "cluster-prod")
                + ",{\"metadata\":{\"name\":\"other\"},\"spec\":{\"hosted\":{}}}";

        assertThat(attach("--replace", "--timeout", "5")).as("%s", err).isZero();

        assertThat(requests)
                .contains("DELETE " + CLUSTER + "/prod-0a1b2c3d ", "DELETE " + SECRET + "/cluster-prod-0a1b2c3d ")
                .noneMatch(request -> request.startsWith("DELETE ")
                        && (request.contains("/prod-left ") || request.contains("3e ") || request.contains("/other ")))
                .anySatisfy(request -> assertThat(request)
                        .startsWith("POST " + CLUSTER)
                        .contains(
                                "\"fairlead.io/trial-of\":\"prod\"",
                                "\"aliasOf\":\"prod\"",
                                "\"deniedGroups\":[\"ops\"]"))
                .anySatisfy(request -> assertThat(request).startsWith("PATCH " + CLUSTER + "/prod "))
                .as("prod-0a1b2c3e uses it")
                .doesNotContain("DELETE " + SECRET + "/cluster-prod ");
    }
}
