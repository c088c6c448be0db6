package org.onesided.tools.metrics;

import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.onesided.protocol.bootstrap.SessionTotals;
import org.onesided.server.ServerMetrics;
import org.onesided.server.cluster.ReignMetrics;
import org.onesided.server.memory.MemoryMetrics;
import org.onesided.server.operating.MemberStand;
import org.onesided.server.session.SessionMetrics;
import org.onesided.server.shard.DurabilityMetrics;
import org.onesided.server.shard.DurationHistogram;
import org.onesided.server.shard.ShardMetrics;
import org.onesided.server.table.TableStatistics;
import org.onesided.waiting.LostWakeUps;

/**
 * A server's metrics, with names for Prometheus.
 */
final class ServerFamilies
{
    private static final String SHARD = "shard";
    private static final String DEVICE = "device";
    private static final String REASON = "reason";
    private static final String MEMORY = "memory";
    private static final double NS_PER_S = 1e9;
    private static final double MS_PER_S = 1e3;
    private static final double[] UPPER_BOUNDS_S = IntStream.range(0, DurationHistogram.BUCKETS)
        .mapToObj(DurationHistogram::upperBoundNs)
        .mapToDouble((bound) -> bound == Long.MAX_VALUE ? Double.POSITIVE_INFINITY : bound / NS_PER_S)
        .toArray();

    private final Families families = new Families();

    private ServerFamilies()
    {
    }

    static MetricSnapshots of(final ServerMetrics metrics)
    {
        final ServerFamilies all = new ServerFamilies();
        metrics.shards().forEach(all::shard);
        all.sessions(metrics.sessions());
        all.memory(metrics.memory());
        if (metrics.stand() != null)
        {
            all.member(metrics.stand());
        }
        all.faults(metrics.deviceFaults());
        all.families.gauge("onesided_eviction", "1, with the policy by which records leave full memory, --evict.", 1,
            "policy", metrics.eviction().label());
        all.families.gauge("onesided_default_ttl_seconds",
            "How long keys live whose put says nothing about it, --default-ttl; 0 for ever.",
            metrics.defaultTtlMs() / MS_PER_S);
        all.reported(metrics.sessions().reported());
        all.families.counter("onesided_lost_wakeups",
            "Sleeps that only their cap ended though there was work: faults, to be reported.", LostWakeUps.total());
        ProcessFamilies.add(all.families);
        return all.families.snapshots();
    }

    private void shard(final ShardMetrics metrics)
    {
        final String shard = Integer.toString(metrics.shard());
        metrics.requests().forEach((kind, count) -> families.counter(
            "onesided_requests", "Requests executed. A message with several puts counts as one.",
            count, SHARD, shard, "kind", lower(kind)));
        metrics.refusals().forEach((status, count) -> families.counter(
            "onesided_refusals", "Requests refused.", count, SHARD, shard, REASON, lower(status)));
        families.counter("onesided_resent_answers", "Answers repeated to clients that had lost them.",
            metrics.resent(), SHARD, shard);
        families.counter("onesided_received_bytes", "Bytes of requests.", metrics.bytesReceived(), SHARD, shard);
        families.counter("onesided_sent_bytes", "Bytes of answers.", metrics.bytesSent(), SHARD, shard);
        families.counter("onesided_pulled_bytes", "Bytes of large values that the server READ from clients.",
            metrics.bytesPulled(), SHARD, shard);
        families.counter("onesided_pull_read_failures", "READs of clients' memory that failed.",
            metrics.pullFailures(), SHARD, shard);
        families.counter("onesided_connections_lost", "Queue pairs that failed, or sent wrong messages.",
            metrics.connectionsLost(), SHARD, shard);
        families.counter("onesided_polls", "Polls of the completion queue that brought completions.",
            metrics.polls(), SHARD, shard);
        families.counter("onesided_completions", "Completions polled.", metrics.completions(), SHARD, shard);
        families.counter("onesided_rounds", "Rounds of the shard's thread, at least one a second.",
            metrics.rounds(), SHARD, shard);

        metrics.connections().forEach((device, count) -> families.gauge(
            "onesided_connections", "Queue pairs connected.", count, SHARD, shard, DEVICE, device));
        families.gauge("onesided_waiting_requests", "Requests received but not yet executable.",
            metrics.waiting(), SHARD, shard);
        families.counter("onesided_room_waits", "Puts that had to wait until records had moved to make room. " +
            "A message with several puts counts as one.", metrics.roomWaits(), SHARD, shard);
        families.gauge("onesided_waiting_for_room",
            "Puts that wait for room. A message with several puts counts as one.",
            metrics.waitingForRoom(), SHARD, shard);
        families.gauge("onesided_pulls", "Large values being READ from clients.", metrics.pulls(), SHARD, shard);
        families.gauge("onesided_pull_bytes", "Bytes of those large values.", metrics.pullBytes(), SHARD, shard);
        table(metrics.table(), shard);
        if (metrics.durability() != null)
        {
            durability(metrics.durability(), shard);
        }
        if (metrics.reign() != null)
        {
            reign(metrics.reign(), shard);
        }
        metrics.times().forEach((kind, times) -> families.histogram(
            "onesided_request_duration_seconds",
            "From when a shard saw a request to when its answer was ready. A message with several puts counts as one.",
            UPPER_BOUNDS_S,
            times.counts().stream().mapToLong(Long::longValue).toArray(),
            times.sumNs() / NS_PER_S,
            SHARD, shard, "kind", lower(kind)));
    }

    private void table(final TableStatistics table, final String shard)
    {
        families.gauge("onesided_records", "Records in the table.", table.records(), SHARD, shard);
        families.gauge("onesided_expiring_keys", "Keys that have a time when they expire.",
            table.expiring(), SHARD, shard);
        families.gauge("onesided_buckets", "Buckets in use, without overflow buckets.", table.buckets(), SHARD, shard);
        families.gauge("onesided_overflow_buckets", "Overflow buckets that were ever in use.",
            table.overflowBuckets(), SHARD, shard);
        families.gauge("onesided_overflow_buckets_used", "Overflow buckets in use now.",
            table.overflowBucketsUsed(), SHARD, shard);
        families.gauge(
            "onesided_segments", "Segments of memory, of index and heap together.", table.segments(), SHARD, shard);
        families.gauge("onesided_heap_bytes", "Bytes of the record heap that are there.",
            table.heapBytes(), SHARD, shard);
        families.gauge("onesided_heap_used_bytes", "Bytes of the record heap in use.",
            table.heapBytesUsed(), SHARD, shard);
        families.counter("onesided_puts", "Puts, increments and appends done.", table.puts(), SHARD, shard);
        families.counter("onesided_puts_in_place", "Puts that overwrote the record in its place.",
            table.putsInPlace(), SHARD, shard);
        families.counter("onesided_deletes", "Deletes of keys that were there.", table.deletes(), SHARD, shard);
        families.counter(
            "onesided_expired", "Keys removed because their time had come.", table.expired(), SHARD, shard);
        families.counter("onesided_records_moved", "Records moved to make room.", table.recordsMoved(), SHARD, shard);
        families.counter("onesided_moved_bytes", "Bytes of such records.", table.bytesMoved(), SHARD, shard);
        final String evictions = "onesided_evictions";
        final String evictionsHelp = "Records that left to make room, by where it was made.";
        families.counter(evictions, evictionsHelp, table.evictedForHeap(), SHARD, shard, "cause", "heap");
        families.counter(evictions, evictionsHelp, table.evictedForIndex(), SHARD, shard, "cause", "index");
        families.counter("onesided_evicted_bytes", "Bytes of records that left to make room.",
            table.evictedBytes(), SHARD, shard);
        final String hits = "onesided_estimated_hits";
        final String hitsHelp = "Lookups that would find their key with half, the same or twice the memory, estimated.";
        families.counter(hits, hitsHelp, table.hitsHalf(), SHARD, shard, MEMORY, "half");
        families.counter(hits, hitsHelp, table.hitsSame(), SHARD, shard, MEMORY, "same");
        families.counter(hits, hitsHelp, table.hitsDouble(), SHARD, shard, MEMORY, "double");
        families.counter("onesided_estimated_gets", "Lookups that the estimated hits are of, estimated.",
            table.hitsOf(), SHARD, shard);
    }

    private void durability(final DurabilityMetrics disk, final String shard)
    {
        families.gauge("onesided_log_takes_writes",
            "1 if the log takes writes, 0 if it has failed, is full, or has grown too long without a snapshot.",
            disk.takesWrites() ? 1 : 0, SHARD, shard);
        families.counter("onesided_log_failures", "How often the log stopped taking writes.",
            disk.logFailures(), SHARD, shard);
        families.gauge("onesided_log_applied_index", "Index of the log's entry that was applied last.",
            disk.appliedIndex(), SHARD, shard);
        families.gauge("onesided_log_bytes", "Bytes of the log's files.", disk.logBytes(), SHARD, shard);
        families.gauge("onesided_log_sessions", "Sessions that the log knows.", disk.sessions(), SHARD, shard);
        families.gauge("onesided_snapshot_index", "Index of the last entry in the newest snapshot, -1 without one.",
            disk.snapshotIndex(), SHARD, shard);
        families.gauge("onesided_snapshot_bytes", "Bytes of the newest snapshot.", disk.snapshotBytes(), SHARD, shard);
        families.gauge("onesided_snapshot_age_seconds", "Since the newest snapshot was begun, -1 without one.",
            disk.snapshotAgeMs() < 0 ? -1 : disk.snapshotAgeMs() / MS_PER_S, SHARD, shard);
        families.gauge("onesided_snapshot_progress",
            "Which part of the table is in the snapshot that is being written, -1 if none is.",
            disk.snapshotProgress(), SHARD, shard);
        families.counter("onesided_snapshot_failures", "Snapshots that could not be written.",
            disk.snapshotFailures(), SHARD, shard);
    }

    /** Of a member of a cluster. */
    private void reign(final ReignMetrics reign, final String shard)
    {
        families.gauge("onesided_partition_stage", "1, with what this member is to the partition.", 1,
            SHARD, shard, "stage", lower(reign.stage()));
        families.gauge("onesided_lease_wait_seconds",
            "Until leases that could be held are over: those of earlier leaders while a new one waits, its own while " +
                "it hands over, else 0.",
            reign.restNs() / NS_PER_S, SHARD, shard);
        families.gauge("onesided_leases_held", "Leases that sessions may hold, at most.", reign.held(), SHARD, shard);
        families.counter("onesided_leases_granted", "Leases granted.", reign.granted(), SHARD, shard);
        families.counter("onesided_lease_proofs", "Entries logged for leases alone, as there was nothing else to log.",
            reign.proofs(), SHARD, shard);
    }

    private void member(final MemberStand stand)
    {
        if (stand.diskFree() >= 0)
        {
            families.gauge("onesided_disk_free_bytes", "Bytes free for this member's data, if that can be told.",
                stand.diskFree());
        }
        stand.followers().forEach((each) ->
        {
            final String shard = Integer.toString(each.partition());
            final String member = Long.toString(each.member());
            families.gauge("onesided_follower_behind", "Entries that a member has not acknowledged to this leader.",
                each.behind(), SHARD, shard, "member", member);
            families.gauge("onesided_follower_in_sync", "1 if a member follows this leader closely.",
                each.isInSync() ? 1 : 0, SHARD, shard, "member", member);
        });
    }

    private void memory(final MemoryMetrics memory)
    {
        families.gauge("onesided_memory_segments", "Segments of the table.", memory.segments());
        families.gauge(
            "onesided_memory_bytes", "Bytes of those segments, and of removed ones that stay.", memory.committed());
        families.gauge("onesided_memory_limit_bytes", "Most bytes of segments, --memory.", memory.limit());
        families.gauge("onesided_memory_used_bytes", "Bytes of the index, and bytes of heaps in use.", memory.used());
        families.gauge("onesided_memory_retired_bytes",
            "Bytes of split buckets and cleared heaps that stay until no client READs them any more.",
            memory.retired());
        families.counter("onesided_memory_released_bytes",
            "Bytes of split buckets and cleared heaps that were given back.", memory.released());
        families.gauge("onesided_memory_mark_percent",
            "The highest of 80, 90 and 95 percent of the limit that is in use, 0 for none.", memory.mark());
        families.counter("onesided_memory_refusals", "How often the system refused more memory.", memory.refusals());
    }

    private void sessions(final SessionMetrics metrics)
    {
        metrics.sessions().forEach((device, count) -> families.gauge(
            "onesided_sessions", "Sessions, those that may still be resumed included.", count, DEVICE, device));
        families.counter("onesided_sessions_opened", "Sessions opened.", metrics.opened());
        families.counter("onesided_sessions_resumed", "Sessions resumed over another connection.", metrics.resumed());
        families.counter("onesided_sessions_expired", "Sessions whose lease ran out.", metrics.expired());
        families.counter("onesided_sessions_cut_off",
            "Sessions that lost their queue pairs because they did not confirm a release of memory.",
            metrics.cutOff());
        final String reports = "onesided_lookup_reports";
        final String reportsHelp = "Sampled lookups that clients reported, and how many were dropped as too many.";
        families.counter(reports, reportsHelp, metrics.sampled(), "result", "taken");
        families.counter(reports, reportsHelp, metrics.unsampled(), "result", "dropped");
        metrics.refusals().forEach((reason, count) -> families.counter(
            "onesided_handshakes_refused", "Handshakes that failed.", count, REASON, reason));
        metrics.identities().forEach((identity, count) -> families.gauge(
            "onesided_identity_sessions", "Sessions of a token's name or a certificate's subject.", count,
            "identity", identity));
    }

    private void faults(final Map<String, Map<String, Long>> devices)
    {
        devices.forEach((device, faults) -> faults.forEach((reason, count) -> families.counter(
            "onesided_device_faults",
            "Connections over a device that ended or never began, because of the peer or for lack of memory.",
            count, DEVICE, device, REASON, reason)));
    }

    /** Clients report their lookups, because the store takes no part in them. */
    private void reported(final SessionTotals totals)
    {
        final String gets = "onesided_client_gets";
        final String getsHelp = "Lookups, as clients report them.";
        families.counter(gets, getsHelp, totals.hits(), "result", "hit");
        families.counter(gets, getsHelp, totals.misses(), "result", "miss");
        final String reads = "onesided_client_reads";
        final String readsHelp = "READs of the server's memory, as clients report them.";
        families.counter(reads, readsHelp, totals.bucketReads(), "of", "bucket");
        families.counter(reads, readsHelp, totals.recordReads(), "of", "record");
        families.counter("onesided_client_read_retries",
            "READs done again because a record or bucket was changing, dead or another's, as clients report them.",
            totals.retries());
        families.counter("onesided_client_read_bytes", "Bytes READ, as clients report them.", totals.bytesRead());
        families.counter("onesided_client_mirror_hits", "Lookups that needed no READ of a bucket, as clients report.",
            totals.mirrorHits());
        families.counter("onesided_client_gets_by_request", "Lookups by request, as clients report.",
            totals.rpcGets());
        families.counter(
            "onesided_client_puts", "Puts, increments and appends, as clients report them.", totals.puts());
        families.counter(
            "onesided_client_put_bytes", "Bytes of values put and of bytes appended, as clients report.",
            totals.bytesPut());
        families.counter("onesided_client_deletes", "Deletes, as clients report them.", totals.deletes());
        families.counter("onesided_client_reconnects", "Connections made after the first, as clients report.",
            totals.reconnects());
    }

    private static String lower(final Enum<?> constant)
    {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
