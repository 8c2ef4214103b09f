package io.fairlead.gateway.authn;

import com.github.benmanes.caffeine.cache.Ticker;
import io.fairlead.fleet.ClusterDirectory;
import io.fairlead.gateway.Limited;
import io.fairlead.model.ClusterName;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/** Tokens that clusters review, for tests of other packages. */
public final class ReviewedTokensFixture {
    private static final Duration SOON = Duration.ofMillis(1);
    private static final ClusterName NOT_THERE = new ClusterName("not-there");

    private ReviewedTokensFixture() {}

    /** Those of a directory of which some cluster is asked. A test that has hundreds refused does not wait as callers do. */
    public static ReviewedTokens refusingSoon(ClusterDirectory directory) {
        return new ReviewedTokens(
                directory,
                askedBy(directory),
                _ -> false,
                Limited.BY_DEFAULT.limits(),
                _ -> {},
                Ticker.systemTicker(),
                SOON);
    }

    /** Those whose tokens a directory says are asked for; under other names one that is not there. */
    public static Function<ClusterName, Optional<ClusterName>> askedBy(ClusterDirectory directory) {
        return name -> Optional.of(directory.vouching(name).asksForTokens() ? name : NOT_THERE);
    }
}
