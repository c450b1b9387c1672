// SPDX-License-Identifier: Apache-2.0
package io.verbena.testkit;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/**
 * The whole suite. A transport's own tests inherit it and say what is under test:
 *
 * <pre>{@code
 * class TcpConformanceTest extends TransportConformance {
 *   protected TransportUnderTest transport() {
 *     return new ProxiedTcp();
 *   }
 * }
 * }</pre>
 */
@Tag("timing")
public abstract class TransportConformance {

  /** Makes the transport for one test. */
  protected abstract TransportUnderTest transport();

  @Nested
  class Start extends StartConformance {
    Start() {
      super(TransportConformance.this::transport);
    }
  }

  @Nested
  class Close extends CloseConformance {
    Close() {
      super(TransportConformance.this::transport);
    }
  }

  @Nested
  class Group extends GroupConformance {
    Group() {
      super(TransportConformance.this::transport);
    }
  }

  @Nested
  class Registration extends RegistrationConformance {
    Registration() {
      super(TransportConformance.this::transport);
    }
  }

  @Nested
  class Order extends OrderConformance {
    Order() {
      super(TransportConformance.this::transport);
    }
  }

  @Nested
  class Size extends SizeConformance {
    Size() {
      super(TransportConformance.this::transport);
    }
  }

  @Nested
  class BackPressure extends BackPressureConformance {
    BackPressure() {
      super(TransportConformance.this::transport);
    }
  }

  @Nested
  class Room extends RoomConformance {
    Room() {
      super(TransportConformance.this::transport);
    }
  }

  @Nested
  class Handlers extends HandlerConformance {
    Handlers() {
      super(TransportConformance.this::transport);
    }
  }

  @Nested
  class BusyHandlers extends BusyHandlerConformance {
    BusyHandlers() {
      super(TransportConformance.this::transport);
    }
  }

  @Nested
  class BusyProcess extends BusyProcessConformance {
    BusyProcess() {
      super(TransportConformance.this::transport);
    }
  }

  @Nested
  class Listeners extends ListenerConformance {
    Listeners() {
      super(TransportConformance.this::transport);
    }
  }

  @Nested
  class Requests extends RequestConformance {
    Requests() {
      super(TransportConformance.this::transport);
    }
  }

  @Nested
  class Receiving extends ReceiveConformance {
    Receiving() {
      super(TransportConformance.this::transport);
    }
  }

  @Nested
  class Callbacks extends CallbackConformance {
    Callbacks() {
      super(TransportConformance.this::transport);
    }
  }

  @Nested
  class Answers extends AnswerConformance {
    Answers() {
      super(TransportConformance.this::transport);
    }
  }

  @Nested
  class Interrupts extends InterruptConformance {
    Interrupts() {
      super(TransportConformance.this::transport);
    }
  }

  @Nested
  class TimeLimits extends TimeLimitConformance {
    TimeLimits() {
      super(TransportConformance.this::transport);
    }
  }

  @Nested
  class Resume extends ResumeConformance {
    Resume() {
      super(TransportConformance.this::transport);
    }
  }

  @Nested
  class Lifecycle extends LifecycleConformance {
    Lifecycle() {
      super(TransportConformance.this::transport);
    }
  }

  @Nested
  class Refusal extends RefusalConformance {
    Refusal() {
      super(TransportConformance.this::transport);
    }
  }

  @Nested
  class Versions extends VersionsConformance {
    Versions() {
      super(TransportConformance.this::transport);
    }
  }

  @Nested
  class Memory extends MemoryConformance {
    Memory() {
      super(TransportConformance.this::transport);
    }
  }

  @Nested
  class Leaks extends LeakConformance {
    Leaks() {
      super(TransportConformance.this::transport);
    }
  }
}
