// quick driver, replaced below
#include <signal.h>
#include <sys/wait.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include "flows.h"
#include "pump.h"
using namespace verbena::ip;
int main(int c, char** v) {
  // speed pump|none nsA addrA nsB addrB streams seconds
  int pump = 0;
  Place a{v[2], v[3]}, b{v[4], v[5]};
  if (!strcmp(v[1], "pump")) {
    TapOptions one{.name = "pump0",
                   .netns = a.netns,
                   .addresses = {IpAddress::parse("x", a.address + "/24")},
                   .mac = macOf(1)};
    TapOptions two{.name = "pump0",
                   .netns = b.netns,
                   .addresses = {IpAddress::parse("x", b.address + "/24")},
                   .mac = macOf(2)};
    if (getenv("MTU")) one.mtu = two.mtu = atoi(getenv("MTU"));
    if (getenv("NOSUPER")) one.superFrames = two.superFrames = false;
    pump = startPump(one, two);
  }
  double us = roundTrip(a, b, 5000);
  for (unsigned n : {1u, 4u}) {
    Streamed s = stream(a, b, n, atof(v[6]));
    printf("%s %u streams %.2f GB/s %.3f cpu s/GiB retrans %lu  rtt %.1f\n", v[1], n, s.rate(),
           s.processorSecondsPerGib(), s.retransmissions, us);
  }
  if (pump) {
    kill(pump, SIGKILL);
    waitpid(pump, 0, 0);
  }
}
