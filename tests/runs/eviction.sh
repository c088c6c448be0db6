# shellcheck shell=bash disable=SC2154
# Simulates policies of eviction on real and made traces, with the reports that a server gets of lookups.
#
# usage: tests/run eviction [OPTION ...]
#
# Prints the hit ratios of policies as a table, with what the last ./check has built. The real traces are those of
# Caffeine's simulator (95 MB), which is downloaded from Maven Central the first time.
#
# --traces NAME[,NAME...]
#                  multi1, multi2, multi3, cpp, cs, gli, ps, sprite, two-pools, loop, web07, web12, orm-busy, orm-night,
#                  w106, corda, gradle, scarab-recs, scarab-prods, and made ones: zipf-0.9, zipf-0.99, zipf-1.1,
#                  shifting, mixed-sizes (default all)
# --policies NAME[,NAME...]
#                  optimum, w-tinylfu, lru, lfu, redis-lru, redis-lfu, which see all lookups, and density, sampled-lru-5,
#                  -7 and -14, sampled-lfu, hyperbolic, tinylfu-1 and -20, clock-1 and -3, s3-fifo (default all)
# --percent N[,N...]
#                  sizes of the cache, of the records of all keys (default 1,5,20)
# --one-in N[,N...]
#                  of how many hits one is reported; 0: as the server would choose (default 0,1,4,16,64,256)
# --lookups N      of each trace, at most (default 1000000)
# --write FOLDER   writes instead each trace to a file there, a key a line, for tests/run hit-ratio
# --estimates      prints instead how well the hit ratio with half and twice the memory is estimated

"$root/mvnw" -q -f "$root/pom.xml" -pl tests/simulation -am -Ptraces -DskipTests process-test-resources ||
    fail 'the traces could not be downloaded'
run_java simulation "${quiet[@]}" org.onesided.eviction.EvictionSimulation \
    "--jar=$root/tests/simulation/target/traces/traces.jar" "$@"
