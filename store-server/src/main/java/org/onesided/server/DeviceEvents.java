package org.onesided.server;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.onesided.server.session.LogRation;
import org.onesided.server.shard.agent.Shard;
import org.onesided.verbs.AsyncEvent;
import org.onesided.verbs.CompletionQueue;
import org.onesided.verbs.DeviceWatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles a device's asynchronous events. A failed queue pair, completion queue, port or device ends the affected
 * sessions with the event's reason. Counts and logs faults of peers.
 */
final class DeviceEvents implements DeviceWatch.Listener
{
    private static final Logger LOGGER = LoggerFactory.getLogger(DeviceEvents.class);

    /** Log lines about peers' faults per period. */
    private static final int FAULT_LINES = 10;
    private static final long FAULT_PERIOD_NS = TimeUnit.MINUTES.toNanos(1);

    private final LogRation ration = new LogRation(FAULT_LINES, FAULT_PERIOD_NS);
    /**
     * Any host that reaches the port can cause these; they have a limit of their own, so that they do not suppress log
     * lines about sessions.
     */
    private final Map<String, LogRation> strangersRations = new HashMap<>();
    private final int device;
    private final List<Shard> shards;
    private final Consumer<String> onFailed;

    /**
     * @param device   index of the device.
     * @param shards   of the server.
     * @param onFailed hears why the device cannot go on.
     */
    DeviceEvents(final int device, final List<Shard> shards, final Consumer<String> onFailed)
    {
        this.device = device;
        this.shards = List.copyOf(shards);
        this.onFailed = onFailed;
    }

    @Override
    public void onEvent(final AsyncEvent event)
    {
        LOGGER.debug("asynchronous event: type={} number={}", event.type(), event.number());
        if (event.type() == AsyncEvent.Type.PEER_REFUSED)
        {
            tellOfStranger(event);
        }
        else if (event.reason() != null && takeLine(ration, "queue pairs ended for what peers sent"))
        {
            // A fatal event need not be the peer's fault: memory may have run out here.
            LOGGER.warn("queue pair ended{}, {} qp_num={}",
                event.type() == AsyncEvent.Type.QP_FATAL ? "" : " for what its peer sent",
                event.reason(), event.number());
        }
        if (event.type() == AsyncEvent.Type.PORT_ACTIVE)
        {
            LOGGER.info("port up, sessions are connected over it again: port={}", event.number());
        }
    }

    private void tellOfStranger(final AsyncEvent event)
    {
        // Each kind has its own limit, so that malformed messages do not hide wrong secrets. There are few kinds.
        final String kind = event.reason().substring(0, Math.max(0, event.reason().indexOf(':')));
        final LogRation strangers =
            strangersRations.computeIfAbsent(kind, (k) -> new LogRation(FAULT_LINES, FAULT_PERIOD_NS));
        if (takeLine(strangers, "connections to a device failed"))
        {
            LOGGER.warn("connection to a device failed, {}", event.reason());
        }
    }

    /** Whether another line may be logged; if so, first logs how many were withheld. */
    private static boolean takeLine(final LogRation ration, final String what)
    {
        final boolean isTaken = ration.tryTake(System.nanoTime());
        final long withheld = isTaken ? ration.takeWithheld() : 0;
        if (withheld != 0)
        {
            LOGGER.warn("more {}, onesided_device_faults_total counts them by reason: count={}", what, withheld);
        }
        return isTaken;
    }

    @Override
    public void onError(final AsyncEvent event, final Throwable error)
    {
        if (event == null)
        {
            LOGGER.error("waiting for asynchronous events failed, trying again", error);
        }
        else
        {
            LOGGER.error("handling an asynchronous event failed: type={}", event.type(), error);
        }
    }

    @Override
    public void onQueuePairFailed(final int number, final String reason)
    {
        // Queue pair numbers are unique per device, so at most one shard knows this one.
        shards.forEach((shard) -> shard.queuePairs().lose(device, number, reason));
    }

    @Override
    public void onCompletionQueueFailed(final CompletionQueue queue, final String reason)
    {
        shards.stream().map(Shard::queuePairs).filter((queuePairs) -> queuePairs.use(queue))
            .forEach((queuePairs) -> queuePairs.breakDown(device, reason));
    }

    @Override
    public void onPortDown(final int port, final String reason)
    {
        LOGGER.warn("sessions end, and none are connected until the port is up again: port={} reason={}", port, reason);
        shards.forEach((shard) -> shard.queuePairs().losePort(device, port, reason));
    }

    @Override
    public void onDeviceFailed(final String reason)
    {
        onFailed.accept(reason);
    }
}
