package io.fairlead.hosted.kinds;

import io.fairlead.hosted.KindRules;

/** ServiceAccounts. */
final class ServiceAccountRules implements KindRules {
    @Override
    public boolean allowsUnconditionalUpdate() {
        return true;
    }

    @Override
    public boolean answersDeleted() {
        return true;
    }

    @Override
    public boolean qualifiesFinalizers() {
        return true;
    }

    @Override
    public boolean countsGeneration() {
        return false;
    }
}
