package io.fairlead.gateway.authn;

import com.github.benmanes.caffeine.cache.Ticker;
import io.fairlead.fleet.ClusterDirectory;
import io.fairlead.gateway.Limited;
import java.time.Duration;

/** Tokens that clusters review, for tests of other packages. */
public final class ReviewedTokensFixture {
    private static final Duration SOON = Duration.ofMillis(1);

    private ReviewedTokensFixture() {}

    /** Those of a directory of which some cluster is asked. A test that has hundreds refused does not wait as callers do. */
    public static ReviewedTokens refusingSoon(ClusterDirectory directory) {
        return new ReviewedTokens(
                directory, () -> true, _ -> false, Limited.BY_DEFAULT.limits(), _ -> {}, Ticker.systemTicker(), SOON);
    }
}
