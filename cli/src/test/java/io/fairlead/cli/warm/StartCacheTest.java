package io.fairlead.cli.warm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What the JVM says of its cache; that a server tells it is shown by DistributionIT. */
class StartCacheTest {
    @Test
    void reason_isTheLineThatNamesTheDifference() {
        assertThat(StartCache.said(List.of(
                        "Unable to use AOT cache.",
                        " The AOT cache's UseCompactObjectHeaders setting (enabled) does not equal the current one.",
                        "An error has occurred while processing the AOT cache. Run with -Xlog:aot for details.",
                        "Loading static archive failed.",
                        "Unable to map shared spaces")))
                .isEqualTo("The AOT cache's UseCompactObjectHeaders setting (enabled) does not equal the current one.");
        assertThat(StartCache.said(List.of(
                        "This file is not the one used while building the shared archive file: 'a.jar', size has"
                                + " changed",
                        "shared class paths mismatch (hint: enable -Xlog:class+path=info to diagnose the failure)")))
                .contains("a.jar", "size has changed");
    }

    @Test
    void jvmThatSaysNothing_givesNoReason() {
        assertThat(StartCache.said(List.of())).isEqualTo("the JVM does not say");
        assertThat(StartCache.said(List.of("Unable to map shared spaces"))).isEqualTo("the JVM does not say");
    }
}
