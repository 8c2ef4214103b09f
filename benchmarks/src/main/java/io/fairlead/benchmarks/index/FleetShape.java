package io.fairlead.benchmarks.index;

import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupVersion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * A fleet to measure with: which of 400 group/versions each cluster serves.
 *
 * @param clusters the clusters' names
 * @param groupVersions everything that may be served
 * @param served for each cluster the places of what it serves, in order
 */
record FleetShape(List<ClusterName> clusters, List<GroupVersion> groupVersions, int[][] served) {
    static final int PER_CLUSTER = 200;
    private static final int GROUP_VERSIONS = 400;
    private static final int EQUAL_SETS = 20;

    /** Twenty distinct sets, shared out among the clusters. */
    static FleetShape equalSets(int clusterCount) {
        return of(clusterCount, EQUAL_SETS);
    }

    /** A set of its own for every cluster. */
    static FleetShape uniqueSets(int clusterCount) {
        return of(clusterCount, clusterCount);
    }

    private static FleetShape of(int clusterCount, int setCount) {
        Random random = new Random(1);
        int[][] sets =
                IntStream.range(0, setCount).mapToObj(i -> randomSet(random)).toArray(int[][]::new);
        int[][] served = IntStream.range(0, clusterCount)
                .mapToObj(i -> sets[i % setCount])
                .toArray(int[][]::new);
        List<ClusterName> clusters = IntStream.range(0, clusterCount)
                .mapToObj(i -> new ClusterName("cluster-" + i))
                .toList();
        List<GroupVersion> groupVersions = IntStream.range(0, GROUP_VERSIONS)
                .mapToObj(i -> new GroupVersion("group-" + i / 2 + ".example.com", "v" + (i % 2 + 1)))
                .toList();
        return new FleetShape(clusters, groupVersions, served);
    }

    private static int[] randomSet(Random random) {
        List<Integer> all =
                new ArrayList<>(IntStream.range(0, GROUP_VERSIONS).boxed().toList());
        Collections.shuffle(all, random);
        int[] set = all.stream().limit(PER_CLUSTER).mapToInt(Integer::intValue).toArray();
        Arrays.sort(set);
        return set;
    }

    /** How many entries an index of this fleet has. */
    long entries() {
        return (long) clusters.size() * PER_CLUSTER;
    }
}
