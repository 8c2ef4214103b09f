package io.fairlead.clustersync;

import io.fairlead.clustersync.source.TypeChange;
import io.fairlead.clustersync.source.TypeSource;
import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A source of CRDs that tells nothing by itself, answers as a test says and writes down what it is asked for. */
final class FakeTypeSource implements TypeSource {
    final List<String> calls = new ArrayList<>();
    /** How often it was asked for a recount, from any thread. */
    final AtomicInteger recounts = new AtomicInteger();

    Supplier<Optional<Collection<Holder>>> recount = Optional::empty;
    Supplier<Optional<Collection<Holder>>> ask = Optional::empty;
    boolean isAway = true;
    private Consumer<TypeChange> changes = _ -> {};

    void tell(TypeChange change) {
        changes.accept(change);
    }

    @Override
    public Set<HolderType> types() {
        return Set.of(HolderType.CRD);
    }

    @Override
    public Feed open(Consumer<TypeChange> listener) {
        changes = listener;
        return new Feed() {
            @Override
            public Optional<Collection<Holder>> recount() {
                recounts.incrementAndGet();
                return recount.get();
            }

            @Override
            public Optional<Collection<Holder>> ask() {
                return ask.get();
            }

            @Override
            public long silentNanos() {
                return 77;
            }

            @Override
            public void forget() {
                calls.add("forget");
            }

            @Override
            public void restart() {
                calls.add("restart");
            }

            @Override
            public void hurry() {
                calls.add("hurry");
            }

            @Override
            public boolean look() {
                calls.add("look");
                return isAway;
            }

            @Override
            public void doubt(HolderType type) {
                calls.add("doubt " + type);
            }

            @Override
            public void close() {
                calls.add("close");
            }
        };
    }
}
