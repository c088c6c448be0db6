package org.onesided.client;

import java.util.function.Predicate;
import org.onesided.verbs.CompletionQueue;
import org.onesided.verbs.DeviceWatch;

/**
 * What a client does about asynchronous events: sessions that one concerns are lost with its reason. They reconnect as
 * they do after other losses, as soon as the device lets them.
 */
final class DeviceEvents implements DeviceWatch.Listener
{
    private final ClientContext context;

    DeviceEvents(final ClientContext context)
    {
        this.context = context;
    }

    @Override
    public void onQueuePairFailed(final int number, final String reason)
    {
        loseIf((attachment) -> attachment.hasQueuePair(number), reason);
    }

    @Override
    public void onCompletionQueueFailed(final CompletionQueue queue, final String reason)
    {
        loseIf((attachment) -> attachment.uses(queue), reason);
    }

    @Override
    public void onPortDown(final int port, final String reason)
    {
        loseIf((attachment) -> attachment.port() == port, reason);
    }

    @Override
    public void onDeviceFailed(final String reason)
    {
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
