package org.onesided.client.session;

import java.util.function.Predicate;
import org.onesided.verbs.AsyncEvent;
import org.onesided.verbs.CompletionQueue;
import org.onesided.verbs.DeviceWatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles a device's asynchronous events: the affected sessions are lost with the event's reason. They reconnect as
 * after other losses, as soon as the device allows it.
 */
public final class DeviceEvents implements DeviceWatch.Listener
{
    private static final Logger LOGGER = LoggerFactory.getLogger(DeviceEvents.class);

    private final ClientContext context;

    /**
     * @param context of the client whose sessions it loses.
     */
    public DeviceEvents(final ClientContext context)
    {
        this.context = context;
    }

    @Override
    public void onEvent(final AsyncEvent event)
    {
        LOGGER.debug("asynchronous event: type={} number={}", event.type(), event.number());
        if (event.type() == AsyncEvent.Type.PORT_ACTIVE)
        {
            context.portDown(null);
            LOGGER.info("port up, sessions are connected over it again: port={}", event.number());
        }
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
        loseIf((attachment) -> attachment.connection().hasFailed(number), reason);
    }

    @Override
    public void onCompletionQueueFailed(final CompletionQueue queue, final String reason)
    {
        loseIf((attachment) -> attachment.connection().uses(queue), reason);
    }

    @Override
    public void onPortDown(final int port, final String reason)
    {
        LOGGER.warn("{}: its sessions end, and none are connected until it is up again", reason);
        if (context.device().device().port() == port)
        {
            context.portDown(reason);
        }
        loseIf((attachment) -> attachment.connection().port() == port, reason);
    }

    @Override
    public void onDeviceFailed(final String reason)
    {
        LOGGER.error("no session can go on: {}", reason);
        loseIf((attachment) -> true, reason);
    }

    private void loseIf(final Predicate<Attachment> condition, final String reason)
    {
        context.forEachAttachment((attachment) ->
        {
            if (condition.test(attachment))
            {
                attachment.lose(reason);
            }
        });
    }
}
